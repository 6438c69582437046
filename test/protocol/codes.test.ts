import { describe, expect, it } from 'vitest';
import { AGENT_MOVES, WIRE_CODES, wireCode, wireText } from '../../src/protocol/index.ts';

describe('the list of wire codes', () => {
  const all = Object.entries(WIRE_CODES).flatMap(([surface, codes]) =>
    Object.entries(codes).map(([code, entry]) => ({ surface, code, ...entry })),
  );

  it.each(all)('$surface $code can travel as it is', ({ code, description, next, status }) => {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(wireText(description)).toBe(description);
    expect(Object.keys(AGENT_MOVES)).toContain(next);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it('answers 400 at the token endpoints, except where RFC 6749 §5.2 and 503 say otherwise', () => {
    for (const surface of ['token', 'provider'] as const) {
      for (const [code, { status }] of Object.entries(WIRE_CODES[surface])) {
        const expected = { invalid_client: 401, temporarily_unavailable: 503 }[code] ?? 400;
        expect(status, code).toBe(expected);
      }
    }
  });

  it('knows no code that it does not define', () => {
    expect(wireCode('token', 'toString')).toBeUndefined();
    expect(wireCode('token', 'slow_down')?.next).toBe('slow_down');
  });
});
