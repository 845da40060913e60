import type { Options } from 'tsup'

type Plugin = NonNullable<Options['plugins']>[number]

/**
 * Escapes the characters that esbuild leaves as they are, those of regular expressions and tagged templates: V8 keeps a file
 * with one character beyond ASCII in twice the memory.
 */
export const asciiChunks = (): Plugin => ({
  name: 'ascii-chunks',
  renderChunk: (code) => ({
    code: code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
})
