import { defineError } from '../../../kernel/errors.ts'

export const missingOrInvalidAgentDid = defineError(
  'missing_or_invalid_agent_did',
  400,
  'The query parameter agent_did is missing or is not a DID',
)
export const invalidAgentDid = defineError('invalid_agent_did', 400, 'agent_did is not a DID')
export const notGraduated = defineError(
  'not_graduated',
  403,
  'This agent has not paid here yet; pay in a signed request first',
)
