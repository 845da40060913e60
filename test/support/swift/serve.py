"""OpenStack Swift with its S3 interface, for tests: all its servers in one process, on one disk.

serve.py <directory> prints the port it listens on; it ends when its standard input does.
"""
import os
import socket
import sys
import threading
import time

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402

# Instead of /etc/swift/swift.conf, which only root can write.
utils.HASH_PATH_SUFFIX = b"tests"

from swift.account import server as account_server  # noqa: E402
from swift.common.middleware import catch_errors, proxy_logging, tempauth  # noqa: E402
from swift.common.middleware import bulk, dlo, slo, versioned_writes, copy  # noqa: E402,F401
from swift.common.middleware import listing_formats  # noqa: E402
from swift.common.middleware.s3api import s3api  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.container import server as container_server  # noqa: E402
from swift.obj import server as object_server  # noqa: E402
from swift.proxy import server as proxy_server  # noqa: E402

ACCESS_KEY, SECRET_KEY = "test:tester", "testing"


class Memory:
    """What tempauth wants of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, *args, **kwargs):
        return self.values.get(key)

    def set(self, key, value, *args, **kwargs):
        self.values[key] = value

    def incr(self, key, delta=1, *args, **kwargs):
        self.values[key] = int(self.values.get(key, 0)) + int(delta)
        return self.values[key]

    decr = incr

    def delete(self, key, *args, **kwargs):
        self.values.pop(key, None)


class WithMemory:
    def __init__(self, app):
        self.app, self.memory = app, Memory()

    def __call__(self, env, start_response):
        env["swift.cache"] = self.memory
        return self.app(env, start_response)


class Silent:
    def write(self, *args):
        pass

    def flush(self):
        pass


def listen():
    listener = eventlet.listen(("127.0.0.1", 0), backlog=500)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener, listener.getsockname()[1]


def serve(listener, app):
    eventlet.spawn(wsgi.server, listener, app, log=Silent(), log_output=False, custom_pool=eventlet.GreenPool(500))


def main(directory):
    devices = os.path.join(directory, "devices")
    os.makedirs(os.path.join(devices, "disk"))
    common = {
        "swift_dir": directory,
        "devices": devices,
        "mount_check": "false",
        "log_level": "CRITICAL",
        "disable_fallocate": "true",
        "bind_ip": "127.0.0.1",
    }
    listeners = {name: listen() for name in ("account", "container", "object", "proxy")}
    for name in ("account", "container", "object"):
        builder = RingBuilder(3, 1, 1)
        builder.add_dev(
            {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": listeners[name][1], "device": "disk",
             "replication_ip": "127.0.0.1", "replication_port": listeners[name][1], "weight": 1.0, "meta": ""}
        )
        builder.rebalance()
        builder.get_ring().save(os.path.join(directory, name + ".ring.gz"))
    serve(listeners["account"][0], account_server.AccountController(common))
    serve(listeners["container"][0], container_server.ContainerController(common))
    serve(listeners["object"][0], object_server.app_factory(common))

    app = proxy_server.Application(
        dict(common, account_autocreate="true", allow_account_management="true", node_timeout="60",
             recoverable_node_timeout="60"),
    )
    app = versioned_writes.filter_factory(common)(app)
    app = dlo.filter_factory(common)(app)
    app = slo.filter_factory(common)(app)
    app = copy.filter_factory(common)(app)
    app = bulk.filter_factory(common)(app)
    app = tempauth.filter_factory(dict(common, user_test_tester=SECRET_KEY + " .admin"))(app)
    app = s3api.filter_factory(dict(common, check_bucket_owner="false"))(app)
    app = listing_formats.filter_factory(common)(app)
    app = WithMemory(app)
    app = catch_errors.filter_factory(common)(app)
    serve(listeners["proxy"][0], app)
    print(listeners["proxy"][1], flush=True)
    eventlet.tpool.execute(sys.stdin.read)


main(sys.argv[1])
os._exit(0)
