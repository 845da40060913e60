import { isCheckedText, newCheckedText } from '../../../kernel/checked-text.ts'

/** The prefix of every API key, by which secret scanners recognize keys. */
export const KEY_PREFIX = 'eep_' as const

/** A new key: the prefix, 256 random bits, and a checksum of both. */
export const newKeyText = (): string => newCheckedText(KEY_PREFIX)

/** Whether a text can be a key; mistyped and invented ones are not looked up. */
export const isKeyText = (text: string): boolean => isCheckedText(KEY_PREFIX, text)

/** A hint for lists, by which the owner can recognize the key. */
export const maskKey = (text: string): string => `${text.slice(0, KEY_PREFIX.length + 4)}…${text.slice(-4)}`
