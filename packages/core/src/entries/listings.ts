import type { Module } from '../framework/module/define-module.ts'
import { listings as create } from '../modules/trade/listings/module.ts'

/**
 * Services that profiles list for sale, and reviews of them.
 *
 * @example
 * await app.register(eep, { ...options, modules: [listings()] })
 */
export const listings = (): Module => create(undefined)
