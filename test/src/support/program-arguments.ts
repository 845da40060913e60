import { inject } from 'vitest'
import { bundleOf } from './program-bundles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the bundled programs. */
    readonly programs: string
  }
}

/** The arguments of Node that run a program, from its bundle if there is one. `file` is its absolute path. */
export const programArguments = (file: string): readonly [condition: string, program: string] => [
  // The workers of a bundled program are sources.
  '--conditions=@eep/source',
  bundleOf(inject('programs'), file) ?? file,
]
