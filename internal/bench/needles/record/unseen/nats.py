"""nats.py COUNT speaks to a server of NATS as that many clients, one after the other."""
import socket
import sys

from words import noun, rand, verb

count = int(sys.argv[1])
for n in range(count):
    client = socket.create_connection(("127.0.0.1", 14222))
    client.settimeout(1)
    client.recv(4096)
    password = "secret" if n == count // 3 else "s3cret"
    lines = [f'CONNECT {{"verbose":false,"pedantic":false,"user":"app","pass":"{password}","name":"{noun()}-{verb()}","lang":"go","version":"1.31.0"}}', "PING"]
    subject = f"{noun()}.{noun()}"
    lines.append(f"SUB {subject} 1")
    for _ in range(rand.randrange(1, 4)):
        text = rand.choice([f"{noun()} {rand.randrange(900)}", '{"error":null}', "errors=0"])
        lines.append(f"PUB {subject} {len(text)}\r\n{text}")
    if n == count * 3 // 5:
        lines.append("PUT orders.late 4\r\nlate")
    client.sendall(("\r\n".join(lines + ["PING"]) + "\r\n").encode())
    got = b"?"
    pongs = 0
    try:
        while got and pongs < 2:
            got = client.recv(4096)
            pongs += got.count(b"PONG")
    except OSError:
        pass
    client.close()
