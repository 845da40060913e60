// The default theme. Diagrams are drawn after each navigation, because pages change without a reload.

import DefaultTheme from 'vitepress/theme'
import { nextTick } from 'vue'

interface Mermaid {
  run(): Promise<void>
}

export default {
  extends: DefaultTheme,
  enhanceApp({ router }: { router: { onAfterRouteChanged?: () => Promise<void> } }) {
    if (typeof window === 'undefined') return
    router.onAfterRouteChanged = async () => {
      await nextTick()
      // The script in `head` adds `mermaid` to the window.
      await (window as unknown as { mermaid?: Mermaid }).mermaid?.run()
    }
  },
}
