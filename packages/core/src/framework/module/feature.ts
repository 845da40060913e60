import { z } from 'zod'
import { readShape } from '../options/read-shape.ts'
import type { Module } from './define-module.ts'

type Shape = Readonly<Record<string, z.core.SomeType>>

/** The options that a host passes to a feature. */
export type FeatureOptions<Options extends Shape> = z.core.$InferObjectInput<Options, z.core.$strict['in']>

/** The options of a feature with every default filled in. */
export type FeatureSettings<Options extends Shape> = z.core.$InferObjectOutput<Options, z.core.$strict['out']>

/**
 * Creates the factory of a feature: a module that takes options.
 *
 * @param key - the name of the feature in `everything()`, with which errors name its options
 * @param shape - the options by name, with their checks and defaults
 * @param build - makes the module from the options, and from what the entry of the feature brings: its libraries
 * @example
 * export const reports = feature('reports', reportOptions, ({ retentionDays }) => defineModule({ name: 'reports' }))
 */
export function feature<const Options extends Shape, Built extends Module, Parts extends readonly object[] = []>(
  key: string,
  shape: Options,
  build: (options: FeatureSettings<Options>, ...parts: Parts) => Built,
): (options: FeatureOptions<Options> | undefined, ...parts: Parts) => Built {
  const schema = z.strictObject(shape)
  // The type of a generic shape cannot express that the output of its schema is that of the shape.
  return (options = {} as FeatureOptions<Options>, ...parts) =>
    build(readShape(schema, options, shape, [key]) as unknown as FeatureSettings<Options>, ...parts)
}
