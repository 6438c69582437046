import { describe, expect, it } from 'vitest';
import {
  addRegistration,
  changeRegistration,
  putSession,
  removeRegistration,
} from '../../../src/agent/credentials/change-credentials.ts';
import { createMemoryStore } from '../../../src/agent/index.ts';
import { isLive } from '../../../src/agent/records/registration-state.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { ISSUER, registration, service } from './some-credentials.ts';

const nothing = await createMemoryStore().read();
const one = addRegistration(nothing, service, registration('reg_1'));
const two = addRegistration(one, service, registration('reg_2'));
const key = (id: string) => ({ issuer: ISSUER, resource: ISSUER, id });
const ids = (of: typeof one) => of.services[0]?.registrations.map(({ id }) => id);

describe('credentials', () => {
  it('hold several registrations of a service, the newest in use', () => {
    expect(ids(two)).toEqual(['reg_1', 'reg_2']);
    expect(two).toMatchObject({ lastService: ISSUER, services: [{ current: 'reg_2' }] });
  });

  it('go back to the newest that is left when the one in use goes', () => {
    const three = addRegistration(two, service, registration('reg_3'));
    const left = removeRegistration(three, key('reg_3'), () => true);
    expect(left.services[0]?.current).toBe('reg_2');
    const unused = removeRegistration(three, key('reg_1'), () => true);
    expect(unused.services[0]?.current).toBe('reg_3');
  });

  it('replace a registration that comes again', () => {
    const again = addRegistration(two, service, registration('reg_1', { claimed: true }));
    expect(ids(again)).toEqual(['reg_2', 'reg_1']);
    expect(again.services[0]?.current).toBe('reg_1');
  });

  it('keep services apart', () => {
    const other = { ...service, issuer: 'https://other.example' };
    const both = addRegistration(two, other, registration('reg_1', { issuer: other.issuer }));
    const changed = changeRegistration(both, key('reg_1'), 7, (each) => ({
      ...each,
      claimed: true,
    }));
    const claimed = changed.services.flatMap(({ registrations }) =>
      registrations.map((each) => each.claimed),
    );
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(changed.services.map(({ clockOffset }) => clockOffset)).toEqual([7, -1500]);
  });

  it('keep two APIs of one server apart', () => {
    const other = { ...service, resource: 'https://api.example' };
    const both = addRegistration(two, other, registration('reg_1', other));
    expect(both.lastService).toBe(other.resource);
    expect(both.services.map(({ registrations }) => registrations.length)).toEqual([2, 1]);
    const left = removeRegistration(both, { ...other, id: 'reg_1' }, () => true);
    expect(left).toMatchObject({ lastService: null, services: two.services });
  });

  it('do not bring back what was removed', () => {
    const removed = removeRegistration(two, key('reg_1'), () => true);
    const changed = changeRegistration(removed, key('reg_1'), 0, (each) => each);
    expect(ids(changed)).toEqual(['reg_2']);
  });

  it('fall back to the registration before the one that is removed', () => {
    expect(removeRegistration(two, key('reg_2'), () => true).services[0]?.current).toBe('reg_1');
    expect(removeRegistration(two, key('reg_1'), () => true).services[0]?.current).toBe('reg_2');
  });

  it('pass over one whose assertion and token are over, when the one in use goes', () => {
    const claim = null;
    const { token, assertion } = registration('x');
    const spent = {
      ...{ claim, claimed: true },
      token: token && { ...token, expiresAt: 5 },
      assertion: assertion && { ...assertion, expiresAt: 9 },
    };
    const three = [
      registration('reg_1', { claim }),
      registration('reg_2', spent),
      registration('reg_3', { claim }),
    ].reduce((before, each) => addRegistration(before, service, each), nothing);
    const inUse = (now: number) =>
      removeRegistration(three, key('reg_3'), (one) => isLive(one, now)).services[0]?.current;
    expect([inUse(8), inUse(9)]).toEqual(['reg_2', 'reg_1']);
  });

  it('forget a service with its last registration', () => {
    expect(removeRegistration(one, key('reg_1'), () => true)).toEqual(nothing);
  });

  it('hold one session of a provider', () => {
    const session = (text: string) => ({
      issuer: 'https://provider.example',
      idToken: new Secret(text),
      expiresAt: null,
      clockOffset: 0,
      account: null,
    });
    const { providers } = putSession(putSession(one, session('a')), session('b'));
    expect(providers.map(({ idToken }) => idToken.reveal())).toEqual(['b']);
  });
});
