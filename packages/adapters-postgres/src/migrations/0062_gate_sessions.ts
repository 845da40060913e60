import type { Migration } from './index.ts'

export const m0062GateSessions: Migration = [
  // Sessions are signed tokens and not stored. A row ends those of an agent at a gate that began until its time.
  `create table gate_session_revocations (
    profile_id bigint not null references profiles on delete cascade,
    agent_did text not null,
    revoked_at timestamptz not null,
    primary key (profile_id, agent_did)
  )`,
  'create index gate_session_revocations_revoked_at on gate_session_revocations (revoked_at)',
]
