import { inject } from 'vitest'
import { bundleOf } from './program-bundles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the bundled programs. */
    readonly programs: string
  }
}

/** The condition under which the workers of a program, and programs that are not bundled, find the sources. */
export const SOURCES_CONDITION = '--conditions=@eep/source'

/**
 * Options of Node for a program that lives for seconds. It would compile the embedded database a second time, to make it faster,
 * and collect garbage often: that takes a third of its processor time.
 */
export const SHORT_LIVED = [
  '--liftoff-only',
  '--v8-pool-size=1',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
] as const

/** What Node runs for a program: its bundle if there is one. `file` is its absolute path. */
export const programFile = (file: string): string => bundleOf(inject('programs'), file) ?? file

/** The arguments of Node that run a program that lives for seconds. `file` is its absolute path. */
export const programArguments = (file: string): readonly string[] => [
  SOURCES_CONDITION,
  ...SHORT_LIVED,
  programFile(file),
]
