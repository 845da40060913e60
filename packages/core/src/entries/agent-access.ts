import type { Module } from '../framework/module/define-module.ts'
import { agentAccess as createAgentAccess } from '../modules/agents/access/module.ts'
import { delegation as createDelegation } from '../modules/agents/delegation/module.ts'
import { dataWithdrawal as createDataWithdrawal } from '../modules/agents/withdrawal/module.ts'

/**
 * Events that report reads and searches by agents to the teams of profiles.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/agents.md
 * @example
 * await app.register(eep, { ...options, modules: [agentAccess()] })
 */
export const agentAccess = (): Module => createAgentAccess(undefined)

/**
 * Verifies the delegations that operators give to their agents.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/agents.md
 * @example
 * await app.register(eep, { ...options, modules: [delegation()] })
 */
export const delegation = (): Module => createDelegation(undefined)

/**
 * Answers agents that withdraw claims which they presented at a gate.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/agents.md
 * @example
 * await app.register(eep, { ...options, modules: [dataWithdrawal()] })
 */
export const dataWithdrawal = (): Module => createDataWithdrawal(undefined)
