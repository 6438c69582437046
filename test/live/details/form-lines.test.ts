import { describe, expect, it } from 'vitest';
import { contentType, formLines, isForm } from '../../../src/live/details/form-lines.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a body of the live view that was sent as a form', () => {
  it('is no JSON, though it is kept as an object', () => {
    expect(isForm(FORM)).toBe(true);
    expect(isForm(JSON_TYPE)).toBe(false);
    expect(isForm({})).toBe(false);
  });

  it('has its content type beside it, without parameters', () => {
    expect(contentType(FORM)).toBe('application/x-www-form-urlencoded');
    expect(contentType({ 'Content-Type': 'Application/JSON' })).toBe('application/json');
    expect(contentType({})).toBeUndefined();
  });

  it('is shown pair by pair, each value of a name that comes twice', () => {
    expect(formLines({ grant_type: 'a', resource: ['b', 'c'] })).toEqual([
      { name: 'grant_type', value: 'a' },
      { name: 'resource', value: 'b' },
      { name: 'resource', value: 'c' },
    ]);
    const jwt = { jwt: { claims: { iss: 'a' } } };
    expect(formLines({ assertion: jwt })).toEqual([{ name: 'assertion', value: jwt }]);
    expect(formLines('not read')).toBeUndefined();
  });
});
