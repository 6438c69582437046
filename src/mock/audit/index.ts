export {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditRecord,
  forgetEarlier,
  readAudit,
  recordAudit,
  userActor,
} from './audit.ts';
