import type { Data } from './data.ts';

/** `data` of `/server/time`, for an instant in milliseconds. There is no quota, so no instant resets it. */
export function serverTime(now: number): Data {
  return {
    timestamp: Math.floor(now / 1000),
    datetime: new Date(now).toISOString().replace(/\.\d+Z$/, '+00:00'),
    timezone: 'UTC',
    key_reset_time: null,
  };
}
