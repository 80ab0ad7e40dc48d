//! Logs the events of events.jsonl with tracing, each in the span of its request.
use std::io::BufRead;

fn main() {
    tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::TRACE).with_writer(std::io::stdout).init();
    let file = std::fs::File::open("events.jsonl").unwrap();
    for line in std::io::BufReader::new(file).lines() {
        let e: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let request = e["request"].as_str().unwrap();
        let span = tracing::info_span!("request", id = request, component = e["logger"].as_str().unwrap());
        let _entered = span.enter();
        let message = e["message"].as_str().unwrap();
        let fields = e["fields"].to_string();
        match e["level"].as_str().unwrap() {
            "debug" => tracing::debug!(%fields, "{message}"),
            "info" => tracing::info!(%fields, "{message}"),
            "warn" => tracing::warn!(%fields, "{message}"),
            _ => tracing::error!(%fields, "{message}"),
        }
    }
}
