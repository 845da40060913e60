import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { memory as create } from '../modules/insight/memory/module.ts'
import type { memoryOptions } from '../modules/insight/memory/options.ts'

export type { MemoryPermission } from '../modules/insight/memory/permissions.ts'

/** The options of {@link memory}. */
export interface MemoryOptions extends FeatureOptions<typeof memoryOptions> {}

/**
 * Memory of agents that act for a profile.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/memory.md
 * @example
 * await app.register(eep, { ...options, modules: [memory()] })
 */
export const memory = (options?: MemoryOptions): Module => create(options)
