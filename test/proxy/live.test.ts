import { afterEach, expect, it } from 'vitest';
import { SeenTraffic } from '../../src/cli/proxy/proxy-live.ts';
import { TrafficJudge } from '../../src/conformance/passive/traffic-judge.ts';
import { LiveView } from '../../src/mock/live/live-view.ts';
import type { LiveExchange } from '../../src/mock/live/model.ts';
import { FakeClock, SeededRandom, silentLog, systemSleep } from '../../src/runtime/index.ts';
import { Explainer, type Finding } from '../../src/traffic/index.ts';
import { until } from '../support/until.ts';
import { proxyTo } from './harness.ts';

const SERVICE = 'https://service.test';
const VIEW = 'http://127.0.0.1:4900';

const views: LiveView[] = [];
afterEach(() => {
  for (const view of views.splice(0)) view.close();
});

/** A proxy whose traffic is judged, and what its live view is told. */
async function watched() {
  const { exchanges, fetch } = await proxyTo(
    {
      [SERVICE]: async () =>
        Response.json({ access_token: 'at_0123456789abcdef', token_type: 'Bearer' }),
    },
    { to: SERVICE },
  );
  const seen = new SeenTraffic({ to: SERVICE, clock: new FakeClock(), kept: 100 });
  const judge = new TrafficJudge();
  const explainer = new Explainer();
  const add = (seq: number) => {
    const [exchange] = exchanges.read({ since: seq - 1 }).exchanges;
    if (exchange === undefined) throw new Error(`There is no exchange ${seq}.`);
    const explained = explainer.explain(exchange);
    return { explained, found: judge.judge(explained) };
  };
  exchanges.follow((seq) => {
    const { explained, found } = add(seq);
    seen.note(explained, found);
    // What is found later is about an exchange that was told already.
    if (seq === 2) seen.note(explained, [LATE]);
  });
  const view = new LiveView({
    origin: VIEW,
    title: 'Proxy',
    exchanges,
    source: seen,
    assets: async () => undefined,
    isOurHost: () => true,
    clock: new FakeClock(),
    random: new SeededRandom(1),
    sleep: systemSleep,
    log: silentLog,
  });
  views.push(view);
  const ask = view.around(async () => new Response('', { status: 404 }));
  const opened = await ask(new Request(view.link()));
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const stream = await ask(new Request(`${VIEW}/__live/events`, { headers: { cookie } }));
  return { fetch, told: read(stream) };
}

const LATE: Finding = {
  requirement: 'X-1',
  also: [],
  times: 1,
  level: 'should',
  by: 'agent',
  message: 'It turned out to be wrong.',
  seq: 1,
};

/** The exchanges that a stream tells, as they come. */
function read(stream: Response): readonly LiveExchange[] {
  const told: LiveExchange[] = [];
  let text = '';
  const take = async () => {
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: exchange\ndata: (.*)$/.exec(block)?.[1];
        if (data !== undefined) told.push(JSON.parse(data));
      }
    }
  };
  void take();
  return told;
}

const token = (fetch: Awaited<ReturnType<typeof watched>>['fetch']) =>
  fetch('http://127.0.0.1:4700/oauth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grant_type":"urn:ietf:params:oauth:grant-type:jwt-bearer"}',
  });

const found = ({ findings }: LiveExchange) => findings.map(({ requirement }) => requirement);

it('tells each exchange with what is wrong with it', async () => {
  const { fetch, told } = await watched();
  await token(fetch);
  await until(() => told.length > 0);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ seq: 1, path: '/oauth2/token', step: 'exchange' });
  // The answer with the token may be stored.
  expect(told.map(found)).toEqual([['TOK-04']]);
});

it('tells an exchange again when something is found in it later', async () => {
  const { fetch, told } = await watched();
  await token(fetch);
  await until(() => told.length > 0);
  await token(fetch);
  await until(() => told.length > 2);
  const [before, again] = told.filter(({ seq }) => seq === 1);
  if (before === undefined || again === undefined) throw new Error('It was not told twice.');
  expect(found(again)).toEqual([...found(before), 'X-1']);
  expect({ ...again, findings: [] }).toEqual({ ...before, findings: [] });
});
