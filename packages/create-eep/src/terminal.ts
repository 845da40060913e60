import { isCancel, multiselect, select, text } from '@clack/prompts'
import type { Choice, Prompts } from './questions.ts'

const optionsOf = (choices: readonly Choice[]) => choices.map((choice) => ({ ...choice }))

/** Asks in the terminal. */
export const terminalPrompts: Prompts = {
  async text(message, initialValue) {
    const answer = await text({
      message,
      initialValue,
      validate: (value) => (value?.trim() ? undefined : 'Type a name'),
    })
    return isCancel(answer) ? undefined : answer.trim()
  },
  async choose(message, choices) {
    const answer = await select({ message, options: optionsOf(choices) })
    return isCancel(answer) ? undefined : answer
  },
  async chooseMany(message, choices) {
    const answer = await multiselect({ message, options: optionsOf(choices), required: false })
    return isCancel(answer) ? undefined : answer
  },
}
