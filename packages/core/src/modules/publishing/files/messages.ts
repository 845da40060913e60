import { shippedMessages } from '../../../model/messages.ts'
import en from './messages/en.json' with { type: 'json' }

const messages = shippedMessages(en, new URL('./messages/', import.meta.url))

/** The kinds of files, for people, and the title of a list of files. */
export const fileMessages = messages('file')

/** The texts of the screens with the files of a profile. */
export const fileScreenMessages = messages('file-screen')
