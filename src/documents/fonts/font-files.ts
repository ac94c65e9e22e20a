import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A family of one script, or of a kind of signs. */
export type FontFamily =
  | 'sans'
  | 'mono'
  | 'arabic'
  | 'hebrew'
  | 'devanagari'
  | 'thai'
  | 'sc'
  | 'jp'
  | 'kr'
  | 'symbols'
  | 'math'
  | 'emoji';

export type FontStyle = 'regular' | 'bold' | 'italic' | 'boldItalic';

const require = createRequire(import.meta.url);

/** The font files of a family, all under the SIL Open Font License; a style that is absent falls back to regular. */
type FontFiles = { readonly regular: () => string } & { readonly [Style in FontStyle]?: () => string };

const google = (packageName: string, file: string) => () =>
  join(dirname(require.resolve(`@expo-google-fonts/${packageName}/package.json`)), file);
const cjk = (packageName: string, file: string) => () =>
  // The package exports only its script: its fonts lie in the folder beside.
  join(dirname(require.resolve(`@embedpdf/${packageName}`)), '..', 'fonts', file);

const googlePair = (packageName: string, name: string): FontFiles => ({
  regular: google(packageName, `400Regular/${name}_400Regular.ttf`),
  bold: google(packageName, `700Bold/${name}_700Bold.ttf`),
});

export const fontFiles: Readonly<Record<FontFamily, FontFiles>> = {
  sans: {
    ...googlePair('noto-sans', 'NotoSans'),
    italic: google('noto-sans', '400Regular_Italic/NotoSans_400Regular_Italic.ttf'),
    boldItalic: google('noto-sans', '700Bold_Italic/NotoSans_700Bold_Italic.ttf'),
  },
  mono: googlePair('noto-sans-mono', 'NotoSansMono'),
  arabic: googlePair('noto-sans-arabic', 'NotoSansArabic'),
  hebrew: googlePair('noto-sans-hebrew', 'NotoSansHebrew'),
  devanagari: googlePair('noto-sans-devanagari', 'NotoSansDevanagari'),
  thai: googlePair('noto-sans-thai', 'NotoSansThai'),
  sc: {
    regular: cjk('fonts-sc', 'NotoSansHans-Regular.otf'),
    bold: cjk('fonts-sc', 'NotoSansHans-Bold.otf'),
  },
  jp: { regular: cjk('fonts-jp', 'NotoSansJP-Regular.otf'), bold: cjk('fonts-jp', 'NotoSansJP-Bold.otf') },
  kr: { regular: cjk('fonts-kr', 'NotoSansKR-Regular.otf'), bold: cjk('fonts-kr', 'NotoSansKR-Bold.otf') },
  symbols: { regular: google('noto-sans-symbols-2', '400Regular/NotoSansSymbols2_400Regular.ttf') },
  math: { regular: google('noto-sans-math', '400Regular/NotoSansMath_400Regular.ttf') },
  emoji: googlePair('noto-emoji', 'NotoEmoji'),
};
