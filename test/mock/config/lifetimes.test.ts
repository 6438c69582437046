import { describe, expect, it } from 'vitest';
import { resolveLifetimes } from '../../../src/mock/config/lifetimes.ts';
import { createMockProvider } from '../../../src/testing/mock-provider.ts';
import { createMockService } from '../../../src/testing/mock-service.ts';

const DEFAULTS = { userCode: 600_000, clockSkew: 60_000 };

describe('lifetimes', () => {
  it('are the defaults where none is given', () => {
    expect(resolveLifetimes(DEFAULTS)).toEqual(DEFAULTS);
    const none: object = { userCode: undefined };
    expect(resolveLifetimes(DEFAULTS, none)).toEqual(DEFAULTS);
  });

  it('are those that are given, and the defaults beside them', () => {
    const given = { userCode: 1, clockSkew: 0 };
    expect(resolveLifetimes(DEFAULTS, given)).toEqual(given);
    expect(resolveLifetimes(DEFAULTS, { userCode: 5 })).toEqual({ ...DEFAULTS, userCode: 5 });
  });

  it.each([
    [{ userCode: 0 }, 'userCode cannot be 0'],
    [{ userCode: -1 }, 'userCode cannot be -1'],
    [{ clockSkew: -1 }, 'clockSkew cannot be -1'],
    [{ userCode: 1.5 }, 'userCode cannot be 1.5'],
    [{ userCode: Number.NaN }, 'userCode cannot be NaN'],
    [{ userCode: Number.POSITIVE_INFINITY }, 'userCode cannot be Infinity'],
    [{ userCode: 51 * 365 * 86_400_000 }, 'up to 50 years'],
    [{ userCode: '10m' }, 'userCode cannot be "10m"'],
    [{ userCode: null }, 'userCode cannot be null'],
    [{ nap: 1 }, 'lifetimes cannot be "nap". Names: userCode, clockSkew.'],
    [{ toString: 1 }, 'lifetimes cannot be "toString"'],
  ])('cannot be %j', (given, message) => {
    const resolve = () => resolveLifetimes(DEFAULTS, given as Partial<typeof DEFAULTS>);
    expect(resolve).toThrow(TypeError);
    expect(resolve).toThrow(message);
  });

  it('are checked by both mocks', async () => {
    await expect(createMockService({ lifetimes: { userCode: 0 } })).rejects.toThrow('userCode');
    await expect(createMockProvider({ lifetimes: { idJag: 0 } })).rejects.toThrow('idJag');
  });
});
