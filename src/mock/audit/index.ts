export {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditRecord,
  readAudit,
  recordAudit,
  userActor,
} from './audit.ts';
