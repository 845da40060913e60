import { defineError } from '../../../kernel/errors.ts'

export const invalidGateSession = defineError(
  'gate_session_invalid',
  401,
  'The session has expired, was revoked, or belongs to another agent or an earlier version of the gate; verify the proofs again',
)
export const gateSessionNotDue = defineError(
  'gate_session_not_due',
  409,
  'The session cannot be renewed before its refresh_threshold',
)
export const gateSessionOver = defineError(
  'gate_session_over',
  409,
  'Sessions last at most one day; verify the proofs again to get a new one',
)
