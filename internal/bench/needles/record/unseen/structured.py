"""Logs the events of events.jsonl with structlog, as key=value."""
import datetime
import json
import logging

import structlog

now = datetime.datetime(2026, 3, 2, 6, 0)
count = 0


def clock(logger, method, event):
    global now, count
    count += 1
    now += datetime.timedelta(milliseconds=(count % 5) * 250)
    event["timestamp"] = now.isoformat(timespec="milliseconds") + "Z"
    return event


structlog.configure(
    processors=[structlog.stdlib.add_log_level, clock, structlog.processors.format_exc_info,
                structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "logger", "event"])],
    wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))


class Unbalanced(Exception):
    pass


def post(journal):
    raise Unbalanced(f"{journal}: debit 1250 and credit 1249")


for line in open("events.jsonl"):
    e = json.loads(line)
    log = structlog.get_logger().bind(logger="shop." + e["logger"], request=e["request"])
    if e["message"] == "posting refused":
        try:
            post(e["fields"]["journal"])
        except Unbalanced:
            log.exception("posting refused", **e["fields"])
    else:
        getattr(log, {"warn": "warning"}.get(e["level"], e["level"]))(e["message"], **e["fields"])
