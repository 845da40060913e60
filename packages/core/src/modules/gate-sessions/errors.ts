import { defineError } from '../../kernel/errors.ts'

export const invalidGateSession = defineError(
  'gate_session_invalid',
  401,
  'The session has expired, was revoked, or is of another agent or an earlier version of the gate; verify the proofs again',
)
export const gateSessionNotDue = defineError(
  'gate_session_not_due',
  409,
  'The session can be renewed from its refresh_threshold on',
)
export const gateSessionOver = defineError(
  'gate_session_over',
  409,
  'A session lasts a day at most; verify the proofs again for a new one',
)
