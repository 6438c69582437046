import { expect, it } from 'vitest';
import { Accounts } from './accounts.ts';

it('ends what an older ID-JAG registered, although it arrived long after the event was issued', () => {
  const accounts = new Accounts(() => 200_000);
  accounts.add({ claimable: false, subject: 'older', issuedAt: 100 });
  accounts.add({ claimable: false, subject: 'newer', issuedAt: 151 });
  for (const subject of ['older', 'newer']) accounts.endSubject(subject, 150);
  expect(accounts.withSubject('older')).toEqual([]);
  expect(accounts.withSubject('newer')).toHaveLength(1);
});
