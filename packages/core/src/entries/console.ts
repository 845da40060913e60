import type { Module } from '../framework/module/define-module.ts'
import { ownerConsole as module } from '../modules/pages/console/module.ts'

/**
 * Pages on which owners do everything without a program: create and edit profiles, write and publish pages, set prices. Modules add pages
 * with `screens`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/console.md
 * @example
 * await app.register(eep, { ...options, modules: [files(), ownerConsole()] })
 */
export const ownerConsole = (): Module => module
