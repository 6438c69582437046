import { describe, expect, it } from 'vitest';
import { judge } from '../judged/judge.ts';
import { RAW_HTTP } from '../judged/raw-http-judged.ts';

/** One of each kind: `npm run test:judged` has the others. */
describe('a service on node:http, judged by every scenario', () => {
  it('fails nothing where it is right', async () => {
    const { failed, untestable } = await judge(RAW_HTTP);
    expect([...failed, ...untestable]).toEqual([]);
  });

  it('fails where it takes a user of one provider for that of another', async () => {
    const { failed } = await judge(RAW_HTTP, 'subject-without-issuer');
    expect(failed).toContain('id-jag-known.per-issuer');
  });
});
