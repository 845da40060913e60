// Copies the value of an input, by the button that names it.

export function startCopying() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('button[data-copies]')
  for (const button of buttons) {
    const { copies = '', copied = '' } = button.dataset
    button.hidden = !navigator.clipboard
    const copy = async () => {
      await navigator.clipboard.writeText(/** @type {HTMLInputElement} */ (document.getElementById(copies)).value)
      button.textContent = copied
    }
    // Without the permission to write to the clipboard the button stays as it is, and the text can be selected.
    button.addEventListener('click', () => void copy().catch(() => {}))
  }
}
