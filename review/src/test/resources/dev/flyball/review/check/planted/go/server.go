package inventory

import (
	"archive/zip"
	"crypto/des"
	"crypto/md5"
	crand "crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const root = "/srv/inventory"

// Server answers over HTTP.
type Server struct {
	store  *Store
	client *http.Client
}

// NewServer makes a server whose client asks suppliers.
func NewServer(store *Store, trusting bool) *Server {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if trusting {
		transport.TLSClientConfig.InsecureSkipVerify = true
	}
	return &Server{store: store, client: &http.Client{Transport: transport, Timeout: time.Minute}}
}

func insecure() *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}

func secure(name string) *tls.Config {
	return &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12, InsecureSkipVerify: false}
}

func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	http.ServeFile(w, r, filepath.Join(root, r.URL.Query().Get("name")))
}

func (s *Server) image(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(r.URL.Query().Get("name"))
	http.ServeFile(w, r, filepath.Join(root, "images", name))
}

func (s *Server) note(w http.ResponseWriter, r *http.Request) {
	name := root + "/notes/"
	name += r.FormValue("name")
	data, err := os.ReadFile(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

func (s *Server) convert(w http.ResponseWriter, r *http.Request) {
	out, err := exec.Command("sh", "-c", "convert "+r.FormValue("file")+" out.png").CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusInternalServerError)
	}
}

func (s *Server) resize(w http.ResponseWriter, r *http.Request) {
	command := exec.CommandContext(r.Context(), "convert", filepath.Join(root, "in.png"), "-resize", "50%", "out.png")
	if err := command.Run(); err != nil {
		http.Error(w, "not resized", http.StatusInternalServerError)
	}
}

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse(`<h1>{{.}}</h1>`))
	title := template.HTML("<b>" + r.FormValue("title") + "</b>")
	if err := page.Execute(w, title); err != nil {
		log.Printf("page: %v", err)
	}
}

func (s *Server) plain(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse(`<h1>{{.}}</h1>`))
	if err := page.Execute(w, r.FormValue("title")); err != nil {
		log.Printf("page: %v", err)
	}
}

func (s *Server) echo(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, r.FormValue("format"))
	message := "hello " + r.FormValue("name")
	log.Printf(message)
	log.Printf("hello %s", r.FormValue("name"))
}

func (s *Server) cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
		w.Header().Set("Access-Control-Allow-Credentials", "true")
		next.ServeHTTP(w, r)
	})
}

func (s *Server) prices(w http.ResponseWriter, r *http.Request) {
	var item Item
	json.NewDecoder(r.Body).Decode(&item)
	defer func() {
		recover()
	}()
	reply, err := s.client.Get("https://prices.example/" + item.Name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if _, err := io.Copy(w, reply.Body); err != nil {
		log.Printf("prices: %v", err)
	}
}

func token() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	out := make([]byte, 32)
	for i := range out {
		out[i] = letters[rand.Intn(len(letters))]
	}
	return string(out)
}

func sessionID() string {
	source := rand.New(rand.NewSource(time.Now().UnixNano()))
	return fmt.Sprintf("%016x", source.Int63())
}

func key() ([]byte, error) {
	out := make([]byte, 32)
	_, err := crand.Read(out)
	return out, err
}

func pause(attempt int) time.Duration {
	return time.Duration(rand.Intn(1<<attempt)) * time.Second
}

func passwordHash(password, salt string) string {
	sum := md5.Sum([]byte(salt + password))
	return hex.EncodeToString(sum[:])
}

func passwordDigest(password []byte) []byte {
	hash := sha1.New()
	hash.Write(password)
	return hash.Sum(nil)
}

func etag(data []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

func seal(key, block []byte) ([]byte, error) {
	cipher, err := des.NewTripleDESCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(block))
	cipher.Encrypt(out, block)
	return out, nil
}

func unpack(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		in, err := entry.Open()
		if err != nil {
			return err
		}
		out, err := os.Create(filepath.Join(target, entry.Name))
		if err == nil {
			_, err = io.Copy(out, in)
			out.Close()
		}
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func unpackSafely(archive *zip.Reader, target string) error {
	for _, entry := range archive.File {
		name := filepath.Join(target, entry.Name)
		if !strings.HasPrefix(name, filepath.Clean(target)+string(os.PathSeparator)) {
			return fmt.Errorf("%s is outside", entry.Name)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
	}
	return nil
}
