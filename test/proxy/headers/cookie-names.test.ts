import { describe, expect, it } from 'vitest';
import { CookieNames } from '../../../src/proxy/headers/cookie-names.ts';

const ofService = () => new CookieNames('https://api.example', 4700);

describe('cookies at the proxy', () => {
  it('lose what holds for https and the host of the service alone, and come back as they were set', () => {
    const cookies = ofService();
    const set = '__Host-session=abc=; Path=/; Secure; HttpOnly; SameSite=None; Partitioned';
    expect(cookies.toLocal(set)).toEqual(['at4700.__Host-session=abc=; Path=/; HttpOnly']);
    expect(cookies.toReal('at4700.__Host-session=abc=')).toBe('__Host-session=abc=');
  });

  it('keep the name that a script of the page looks for', () => {
    const cookies = ofService();
    expect(cookies.toLocal('csrf=1; Secure; SameSite=Lax')).toEqual(['csrf=1; SameSite=Lax']);
    expect(cookies.toReal('csrf=1')).toBe('csrf=1');
  });

  it('of another server behind the proxy, or of another program here, go to nobody', () => {
    const cookies = ofService();
    cookies.toLocal('session=a; HttpOnly');
    expect(cookies.toReal('at4701.session=b; dev=1; at4700.session=a')).toBe('session=a');
    expect(cookies.toReal('dev=1')).toBeUndefined();
  });

  it('are deleted under the name that they have here', () => {
    const cookies = ofService();
    cookies.toLocal('session=a; HttpOnly');
    expect(cookies.toLocal('session=; Max-Age=0')).toEqual(['at4700.session=; Max-Age=0']);
    expect(ofService().toLocal('session=; Max-Age=0')).toEqual([
      'session=; Max-Age=0',
      'at4700.session=; Max-Age=0',
    ]);
  });

  it('of a domain around the service are kept, of another one are not', () => {
    expect(ofService().toLocal('a=1; Domain=.example')).toEqual(['a=1']);
    expect(ofService().toLocal('a=1; Domain=other.test')).toEqual([]);
  });

  it('keep Secure where the service is on http, too', () => {
    const cookies = new CookieNames('http://127.0.0.1:1', 4700);
    expect(cookies.toLocal('a=1; Secure')).toEqual(['a=1; Secure']);
  });
});
