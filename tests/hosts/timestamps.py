"""A timestamp authority on loopback: certificates of a root of its own, and OpenSSL behind an HTTP server."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_CONFIG = """
[tsa]
default_tsa = authority
[authority]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
ess_cert_id_alg = sha256
"""


class _Authority(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.folder = folder


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, _Authority)
        folder = server.folder
        (folder / "query").write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
        command = ["openssl", "ts", "-reply", "-config", folder / "config", "-queryfile", folder / "query"]
        certificates = [
            "-signer",
            folder / "authority.pem",
            "-inkey",
            folder / "authority.key",
            "-out",
            folder / "reply",
        ]
        done = subprocess.run([*command, *certificates], capture_output=True, check=False)
        body = (folder / "reply").read_bytes() if done.returncode == 0 else done.stderr
        self.send_response(200 if done.returncode == 0 else 500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def authority(folder: Path) -> Iterator[str]:
    """Run an authority, and give its address; its root certificate is `root.pem` in the folder."""
    _write_certificates(folder)
    (folder / "serial").write_text("01\n")
    (folder / "config").write_text(_CONFIG.format(folder=folder))
    with _Authority(folder) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _write_certificates(folder: Path) -> None:
    root_key, key = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
    root = _named("Root of a test", "Root of a test", root_key, root_key, x509.BasicConstraints(ca=True, path_length=0))
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
    signer = _named("Authority of a test", "Root of a test", key, root_key, usage)
    (folder / "root.pem").write_bytes(root.public_bytes(Encoding.PEM))
    (folder / "authority.pem").write_bytes(signer.public_bytes(Encoding.PEM))
    (folder / "authority.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _named(name: str, issuer: str, key: Any, signing_key: Any, extension: x509.ExtensionType) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(extension, critical=True)
    )
    return builder.sign(signing_key, hashes.SHA256())
