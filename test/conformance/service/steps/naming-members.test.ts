import { describe, expect, it } from 'vitest';
import {
  naming,
  namingMembers,
  readNamingMember,
} from '../../../../src/conformance/service/steps/naming-members.ts';

describe('the members by which agents name themselves', () => {
  it('hold one text, those in an object too', () => {
    expect(naming(['agent_name', 'agent.name', 'agent.title', 'a.b.c'], 'x')).toEqual({
      agent_name: 'x',
      agent: { name: 'x', title: 'x' },
      a: { b: { c: 'x' } },
    });
  });

  it('give way to what lies inside them, whichever comes first', () => {
    expect(naming(['agent', 'agent.name'], 'x')).toEqual({ agent: { name: 'x' } });
  });

  it('are the usual ones and those that were named', () => {
    expect(namingMembers(['label', 'name'])).toEqual(
      expect.arrayContaining(['label', 'name', 'agent_name', 'software_id']),
    );
    const all = namingMembers(['name']);
    expect(all.filter((each) => each === 'name')).toEqual(['name']);
  });

  it.each(['', 'a b', '.name', 'a.__proto__.b', 'a..b', '"name"'])('are none such: %s', (text) => {
    expect(() => readNamingMember(text)).toThrow('Name one member');
  });

  it.each(['label', 'agent.title', 'x-name', 'urn:label'])('can be %s', (text) => {
    expect(readNamingMember(text)).toBe(text);
  });
});
