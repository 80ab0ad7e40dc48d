package textfile

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// guessTexts are of the kind that projects have: comments, messages, notes.
var guessTexts = []struct{ language, text, encodings string }{
	{"French", "La vérification échoue dès que le fichier dépasse la taille autorisée.\nVeuillez réessayer après avoir supprimé les données déjà enregistrées.\nÀ noter : le répertoire créé à l'étape précédente doit être vidé.\n", "windows-1252 macintosh"},
	{"German", "Die Größe der Datei überschreitet die zulässige Länge.\nBitte löschen Sie ungültige Einträge und prüfen Sie die Änderungen.\nFür Rückfragen steht das Büro in München zur Verfügung.\n", "windows-1252 macintosh"},
	{"Spanish", "La contraseña no es válida. ¿Desea continuar?\nEl tamaño máximo de la página será de cien líneas según la configuración.\nMañana se publicará la versión en español.\n", "windows-1252 macintosh"},
	{"Portuguese", "A configuração não está disponível. Você já possui permissão?\nAs informações serão atualizadas após a conclusão da operação.\n", "windows-1252 macintosh"},
	{"Italian", "La città è già stata scelta, ma può cambiare più avanti.\nPerché il programma non è in funzione? La qualità sarà verificata.\n", "windows-1252 macintosh"},
	{"Swedish", "Filen är för stor och får inte öppnas på nytt.\nÄndra storleken på sidan och försök sedan igen med högre gräns.\n", "windows-1252 macintosh"},
	{"Danish", "Størrelsen på filen er ændret, og brugeren får først adgang på mandag.\nPrøv igen, når læsningen er færdig.\n", "windows-1252 macintosh"},
	{"Icelandic", "Skráin er ekki til. Það þarf að velja aðra möppu og reyna síðan á ný.\nÍ lok dagsins verður öllum gögnum eytt.\n", "windows-1252"},
	{"English", "It isn’t here – “never” means never.\nThe user’s name — if there’s one.\n", "windows-1252"},
	{"Polish", "Nie można otworzyć pliku, ponieważ przekroczono rozmiar.\nProszę spróbować później, gdyż połączenie zostało przerwane.\nŻądanie użytkownika będzie wysłane jeszcze raz.\n", "windows-1250 iso-8859-2"},
	{"Czech", "Soubor nelze otevřít, protože je příliš veliký.\nZkuste to prosím znovu později, připojení bylo přerušeno.\nŽádost uživatele čeká na vyřízení.\n", "windows-1250 iso-8859-2"},
	{"Hungarian", "A fájl nem nyitható meg, mert túllépi a megengedett méretet.\nKérjük, próbálja újra később, a gyűjtő tárhelye megtelt, előbb ürítse ki.\n", "windows-1250 iso-8859-2"},
	{"Turkish", "Dosya açılamadı, çünkü boyutu sınırı aşıyor.\nLütfen daha sonra yeniden deneyin, bağlantı kesildi.\nİşlem için gerekli izinler bulunmuyor, yöneticiye başvurun.\n", "windows-1254"},
	{"Lithuanian", "Failo atidaryti negalima, nes jis per didelis.\nBandykite dar kartą vėliau, ryšys nutrūko, užklausa bus išsiųsta iš naujo.\n", "windows-1257"},
	{"Latvian", "Failu nevar atvērt, jo tas pārsniedz atļauto izmēru.\nLūdzu, mēģiniet vēlāk, savienojums tika pārtraukts.\n", "windows-1257"},
	{"Russian", "Файл не может быть открыт: превышен допустимый размер.\nПовторите попытку позже, соединение было прервано сервером.\nЗапрос пользователя будет отправлен ещё раз.\n", "windows-1251 koi8-r ibm866 iso-8859-5 x-mac-cyrillic"},
	{"Ukrainian", "Файл не може бути відкритий: перевищено допустимий розмір.\nСпробуйте ще раз пізніше, з'єднання було перервано.\n", "windows-1251 koi8-u"},
	{"Bulgarian", "Файлът не може да бъде отворен, защото е прекалено голям.\nОпитайте отново по-късно, връзката беше прекъсната.\n", "windows-1251"},
	{"Greek", "Το αρχείο δεν μπορεί να ανοίξει, επειδή υπερβαίνει το επιτρεπόμενο μέγεθος.\nΔοκιμάστε ξανά αργότερα, η σύνδεση διακόπηκε.\n", "windows-1253"},
	{"Hebrew", "לא ניתן לפתוח את הקובץ משום שהוא גדול מדי.\nנסו שוב מאוחר יותר, החיבור נותק.\n", "windows-1255"},
	{"Arabic", "لا يمكن فتح الملف لأن حجمه أكبر من المسموح به.\nيرجى المحاولة مرة أخرى لاحقا، تم قطع الاتصال.\n", "windows-1256"},
	{"Thai", "ไม่สามารถเปิดแฟ้มได้ เพราะมีขนาดใหญ่เกินไป\nกรุณาลองใหม่อีกครั้งภายหลัง การเชื่อมต่อขาดหาย\n", "windows-874"},
	{"Japanese", "ファイルを開くことができません。サイズが上限を超えています。\n接続が切断されました。しばらくしてからもう一度お試しください。\n// 設定を読み込む\n", "shift_jis euc-jp"},
	{"Chinese, simplified", "无法打开文件，因为它超过了允许的大小。\n连接已断开，请稍后再试。用户的请求将重新发送。\n// 读取配置\n", "gb18030"},
	{"Chinese, traditional", "無法開啟檔案，因為它超過了允許的大小。\n連線已中斷，請稍後再試。使用者的要求將重新傳送。\n// 讀取設定\n", "big5"},
	{"Korean", "파일이 너무 커서 열 수 없습니다.\n연결이 끊어졌습니다. 잠시 후 다시 시도해 주십시오.\n// 설정을 읽는다\n", "euc-kr"},
}

func encoded(t *testing.T, name, text string) string {
	e, err := htmlindex.Get(name)
	require.NoError(t, err)
	data, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text)
	require.NoError(t, err)
	return data
}

func decoded(t *testing.T, name, data string) string {
	e, err := htmlindex.Get(name)
	require.NoError(t, err)
	text, err := e.NewDecoder().String(data)
	require.NoError(t, err)
	return text
}

// TestGuess has texts of two or three lines in 19 encodings, and each of their lines.
func TestGuess(t *testing.T) {
	lines, right := 0, 0
	seen := map[string]bool{}
	for _, c := range guessTexts {
		for _, name := range strings.Fields(c.encodings) {
			seen[name] = true
			// Some texts are the same in two encodings, byte for byte.
			guess := Guess([]byte(encoded(t, name, c.text)))
			require.Equal(t, c.text, decoded(t, guess, encoded(t, name, c.text)), "%s in %s, taken for %q", c.language, name, guess)
			for line := range strings.Lines(c.text) {
				data := encoded(t, name, line)
				if isASCII([]byte(data)) {
					continue
				}
				lines++
				if got := Guess([]byte("plain text\n" + data)); got != "" && decoded(t, got, data) == line {
					right++
				} else {
					t.Logf("%s in %s, a line: %q %q", c.language, name, got, line)
				}
			}
		}
	}
	t.Logf("%d encodings; single lines: %d of %d right", len(seen), right, lines)
	require.GreaterOrEqual(t, right*100, lines*90)
}

// TestGuessIsCareful has what is no text in any of these encodings.
func TestGuessIsCareful(t *testing.T) {
	for _, text := range []string{
		"", "plain", "größe: 5µm, überall\n", "größe, but one \xff byte\n", "\xff\xfe\xfd\n", "bad\xffbyte\n", "caf\xe9\x01\n",
	} {
		require.Empty(t, Guess([]byte(text)), "%q", text)
	}
	require.Equal(t, "windows-1252", Guess([]byte("caf\xe9\n")))
	r := rand.New(rand.NewPCG(3, 4))
	named := map[string]int{}
	tries := testkit.Some(500)
	for range tries {
		data := make([]byte, 16+r.IntN(2000))
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		named[Guess(data)]++
	}
	t.Log(named)
	require.GreaterOrEqual(t, named[""], tries-tries/100)
	named = map[string]int{}
	for range tries { // without control characters, which give most of them away
		data := make([]byte, 16+r.IntN(400))
		for i := range data {
			data[i] = byte(0x20 + r.IntN(0x5f))
			if r.IntN(2) == 0 {
				data[i] = byte(0x80 + r.IntN(0x80))
			}
		}
		named[Guess(data)]++
	}
	t.Log(named)
	require.GreaterOrEqual(t, named[""], tries-tries/100)
}

func TestGuessUTF16(t *testing.T) {
	for _, text := range []string{"name,value\r\none,1\r\n", "größer ist besser\n", "Файл не может быть открыт\n"} {
		require.Equal(t, UTF16LE, Sniff([]byte(encoded(t, "utf-16le", text))).Likely)
		require.Equal(t, UTF16BE, Sniff([]byte(encoded(t, "utf-16be", text))).Likely)
	}
	for _, data := range []string{"a\x00", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\x01\x00\x02\x00\x20\x00\x03\x00\x04\x00", "text\x00more text here\n"} {
		require.Empty(t, Sniff([]byte(data)).Likely, "%q", data)
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte("caf\xe9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := Guess(data)
		if name == "" {
			return
		}
		canonical, ok := Canonical(name)
		require.True(t, ok)
		require.Equal(t, canonical, name)
		require.Contains(t, Encodings, name)
	})
}
