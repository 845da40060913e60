import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The texts of the screen with the exports of a profile. */
export const exportScreenMessages = messages('export-screen')

/** The texts of the screens with the imports of an account. */
export const importScreenMessages = messages('import-screen')
