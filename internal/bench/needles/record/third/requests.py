"""requests.py PORT COUNT [desk] asks for that many pages, one after the other; of the desk, one ticket has no owner."""
import http.client
import sys
import time

from words import noun, rand

rand.seed(int(sys.argv[2]))
for n in range(int(sys.argv[2])):
    path = rand.choice(["/{}/{}", "/{}/{}?sort=errors", "/failed/{}/{}", "/assets/{}-{}.js"]).format(noun(), noun())
    if len(sys.argv) > 3 and n == 241:
        path = "/tickets/80241/owner"
    for _ in range(50):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request(rand.choice(["GET", "GET", "POST"]) if len(sys.argv) > 3 else "GET", path)
            connection.getresponse().read()
            break
        except OSError:
            time.sleep(0.1)
