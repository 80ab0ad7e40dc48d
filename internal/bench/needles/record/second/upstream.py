"""upstream.py PORT [hangs] answers; on /away it closes without an answer, and with hangs some requests wait and are told that it is overloaded."""
import http.server
import itertools
import sys
import time

hangs = len(sys.argv) > 2
number = itertools.count()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        n = next(number)
        if "away" in self.path:
            return
        if hangs and 930 <= n < 934:
            time.sleep(1)
            self.send_error(503)
            return
        body = b"x" * (200 + len(self.path) * n % 3000)
        self.send_response(404 if "gone" in self.path else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
open("ready", "w").close()
server.serve_forever()
