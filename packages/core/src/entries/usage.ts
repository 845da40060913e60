import type { Module } from '../framework/module/define-module.ts'
import { usage as create } from '../modules/operations/usage/module.ts'

/**
 * Limits and usage of accounts.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/limits.md
 * @example
 * await app.register(eep, { ...options, modules: [usage()] })
 */
export const usage = (): Module => create(undefined)
