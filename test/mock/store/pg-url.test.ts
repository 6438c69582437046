import { describe, expect, it } from 'vitest';
import { hasPassword, isDatabaseUrl, toDriverUrl } from '../../../src/mock/store/pg-url.ts';

describe('the URL of a database', () => {
  it.each([
    ['postgres://me@host/name', true],
    ['postgresql://host', true],
    ['POSTGRES://host', true],
    ['service.db', false],
    ['./postgres:/x', false],
    ['mysql://host/name', false],
  ])('is told from a file: %s', (text, expected) => {
    expect(isDatabaseUrl(text)).toBe(expected);
  });

  it.each([
    ['postgres://me@host/name', false],
    ['postgres://host/name?sslmode=require', false],
    ['postgres://me@/name?host=/run/postgresql', false],
    ['postgres:///name', false],
    ['postgres://me:hush@host/name', true],
    ['postgres://:hush@host/name', true],
    ['postgres://me:hush@/name?host=/run/postgresql', true],
    ['postgres://host/name?user=me&password=hush', true],
    ['postgres://host/name?user=me&pass%77ord=hush', true],
    ['postgres://me:hu/sh@host/name', true],
    ['postgres://me:hush@host:99999/name', true],
  ])('tells whether it has a password: %s', (url, expected) => {
    expect(hasPassword(url)).toBe(expected);
  });

  it.each([
    ['postgres://h/n?sslmode=require', 'postgres://h/n?sslmode=verify-full'],
    ['postgres://h/n?a=1&sslmode=prefer&b=2', 'postgres://h/n?a=1&sslmode=verify-full&b=2'],
    ['postgres://h/n?sslmode=no-verify', 'postgres://h/n?sslmode=no-verify'],
    ['postgres://h/n', 'postgres://h/n'],
    ['postgres://me:a%b@h/n', undefined],
    ['postgres://h:x/n', undefined],
  ])('reaches the driver without a mode that it warns of: %s', (url, expected) => {
    expect(toDriverUrl(url)).toBe(expected);
  });
});
