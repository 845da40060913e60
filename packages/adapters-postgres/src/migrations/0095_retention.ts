import type { Migration } from './index.ts'

// What retention deletes is found by its age.
export const m0095Retention: Migration = [
  'create index admin_audit_by_time on admin_audit (at)',
  "create index reports_decided on reports (updated_at) where status <> 'open'",
  'create index api_keys_ended on api_keys (least(expires_at, revoked_at))',
  'create index analytics_days_by_time on analytics_days (day)',
  'create index rate_limits_by_end on rate_limits (resets_at)',
]
