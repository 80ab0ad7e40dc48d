"""mirror.py serves files of random sizes on port 18473; the connection of one ends too early."""
import http.server
import time

from words import rand

sizes = [rand.randrange(800_000, 5_000_000) for _ in range(30)]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        number = int(self.path.strip("/").split(".")[0])
        size = sizes[number] if self.path.endswith("xz") else sizes[number] // 2
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if self.path == "/17.sig":
            size = size * 3 // 5
        slowly = self.path.endswith("sig")  # for curl to draw its bar more than once
        for at in range(0, size, size // 8 if slowly else size):
            self.wfile.write(bytes(min(size - at, size // 8 if slowly else size)))
            time.sleep(0.15 * slowly)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 18473), Handler)
open("ready", "w").close()
server.serve_forever()
