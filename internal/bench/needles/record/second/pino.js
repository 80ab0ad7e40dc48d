// A server's log of an afternoon. The clock and the numbers are the same in every run.
const pino = require('pino');

let now = Date.UTC(2026, 1, 3, 13), state = 11;
const random = (n) => (state = (state * 48271) % 2147483647) % n;
const log = pino({ base: { service: 'orders' }, timestamp: () => `,"time":${(now += random(700))}` }, pino.destination({ dest: 1, sync: true }));
const lines = ['request completed', 'cache refreshed', 'message published', 'session renewed'];

function readStock(sku) {
  const err = new TypeError(`Cannot read properties of undefined (reading 'quantity')`);
  log.warn({ sku, err }, 'stock skipped');
}

for (let n = 0; n < 2400; n++) {
  const line = lines[random(4)];
  if (line === 'request completed') {
    log.info({ reqId: `req-${n}`, method: 'GET', url: `/orders/${random(9000)}`, statusCode: 200, responseTime: random(90) }, line);
  } else {
    log.info({ key: `k${random(400)}`, retries: 0, failed: random(1), error: null }, line);
  }
  if (n === 944) readStock('AX-4471');
}
