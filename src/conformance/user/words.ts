/** What people read on buttons and beside fields. Only the drivers go by words; no check does. */

/** Beside the field for the code. */
export const CODE_WORDS = /code|otp|\bpin\b/i;

/** On the way to no. */
export const DENY_WORDS = /\b(deny|decline|reject|refuse|disapprove)\b/i;

/** On buttons that lead away from where somebody wants to get to. */
export const LEAVE_WORDS =
  /\b(log|sign)[\s-]?(out|off)\b|\b(cancel|back|end|delete|remove|revoke|disconnect|another|other|different|switch|no|not)\b/i;
