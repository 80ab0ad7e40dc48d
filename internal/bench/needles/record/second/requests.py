"""requests.py PORT COUNT asks a proxy; some paths are those that the server behind does not answer."""
import http.client
import sys

from words import noun, rand

AGENTS = ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "curl/8.5.0",
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15"]
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
for n in range(int(sys.argv[2])):
    path = f"/{noun()}/{noun()}/{rand.randrange(9000)}"
    if n in (601, 602, 604):
        path = f"/away/{noun()}"
    connection.request("GET", path, headers={"Host": "shop.example.com", "User-Agent": rand.choice(AGENTS), "Referer": f"https://shop.example.com/{noun()}"})
    connection.getresponse().read()
