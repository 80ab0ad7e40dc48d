// Logs the events of events.jsonl with bunyan.
const fs = require('fs');
const bunyan = require('bunyan');

const log = bunyan.createLogger({ name: 'billing', level: 'debug', serializers: bunyan.stdSerializers, streams: [{ level: 'debug', stream: process.stdout }] });

function charge(merchant) {
  throw new TypeError(`acquirer rejected merchant ${merchant}: unknown terminal`);
}

for (const line of fs.readFileSync('events.jsonl', 'utf8').trim().split('\n')) {
  const e = JSON.parse(line);
  const child = log.child({ component: e.logger, req_id: e.request });
  if (e.level === 'error') {
    try {
      charge(e.fields.merchant);
    } catch (err) {
      child.error({ err, ...e.fields }, e.message);
    }
    continue;
  }
  child[e.level](e.fields, e.message);
}
