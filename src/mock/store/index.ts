export { column } from './column.ts';
export * from './database.ts';
export { migrate } from './migrate.ts';
export type { Migration } from './migration.ts';
export { openDatabase } from './open-database.ts';
export { hasPassword, isDatabaseUrl } from './pg-url.ts';
export { retryWhileBusy } from './retry-while-busy.ts';
export { sharedSetting } from './shared-setting.ts';
export { writeSetting } from './write-setting.ts';
