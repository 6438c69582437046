/** Below this the controls answer. */
export const CONTROL_ROOT = '/__mock';
