export { column } from './column.ts';
export * from './database.ts';
export { ExpiredRows } from './expired-rows.ts';
export { openDatabase } from './open-database.ts';
export { hasPassword, isDatabaseUrl } from './pg-url.ts';
export { sharedSetting, writeSetting } from './settings.ts';
export { createTables, emptyTables, SHARED_TABLES, type TableSet } from './tables.ts';
