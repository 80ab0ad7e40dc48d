"""certificates.py COUNT writes the certificates of as many hosts, and their authority's; one has expired, one is another's."""
import datetime
import os
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from words import noun, rand, unique

now = datetime.datetime(2026, 1, 5)
key, other = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))


def name(common):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])


def certificate(subject, issuer, signer, until, ca):
    return x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key()).serial_number(
        rand.randrange(1, 1 << 60)).not_valid_before(now - datetime.timedelta(900)).not_valid_after(until).add_extension(
        x509.BasicConstraints(ca, None), True).sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


os.makedirs("hosts")
later = datetime.datetime(2056, 1, 1)
open("ca.pem", "wb").write(certificate("Example CA", "Example CA", key, later, True))
for n, host in enumerate(sorted(unique(lambda: f"{noun()}-{rand.randrange(40)}.{noun()}.example.net", int(sys.argv[1])))):
    until = now - datetime.timedelta(9) if n == 217 else later
    issuer, signer = ("Old Example CA", other) if n == 101 else ("Example CA", key)
    open(f"hosts/{host}.pem", "wb").write(certificate(host, issuer, signer, until, False))
