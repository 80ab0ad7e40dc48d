"""pages.py PORT COUNT is the proxy that serves a site of as many pages: one breaks off with 500, one's links have moved away."""
import http.server
import sys

from words import noun, rand, unique

pages = ["index", *unique(lambda: f"{noun()}/{rand.choice(['', 'error-', 'failed-'])}{noun()}", int(sys.argv[2]))]
links = {p: pages[i * 3 + 1:i * 3 + 4] for i, p in enumerate(pages)}
links[pages[40]].append("manual/settlement")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = self.path.split("/", 3)[-1].removesuffix(".html")
        if page == pages[150]:
            return self.send_error(500)
        if page not in links:
            return self.send_error(404)
        body = "".join(f'<a href="/{p}.html">{p}</a> {noun()}\n' * 3 for p in links[page]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
open("ready", "w").close()
server.serve_forever()
