package code_test
import ("testing";"os";"path/filepath";"github.com/mrtr-playground/mrtr-playground/playground/flow/code")
func TestX(t *testing.T){ for _,e:=range all(t){ for _,l:=range code.Languages(){ write(t,filepath.Join(os.Getenv("DUMP"),l.Slug,e.name),files(t,e.Flow,l.Slug))}}}
